import type { ComponentType } from 'react'
import { useOutletContext } from 'react-router'
import { NotFound } from './ErrorPages.tsx'
import type { MemberContext } from './memberContext.ts'

interface MemberPageProps {
  Page: ComponentType<MemberContext>
  forOperators: boolean
}

/** Passes the shell's member to a page: features do not import the shell. */
export function MemberPage({ Page, forOperators }: MemberPageProps) {
  const member = useOutletContext<MemberContext>()
  if (!forOperators || member.user?.is_operator === true) return <Page {...member} />
  return member.user === undefined ? null : <NotFound />
}
