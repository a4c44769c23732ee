import type { ComponentType } from 'react'
import { useOutletContext } from 'react-router'
import type { MemberContext } from './memberContext.ts'

interface MemberPageProps {
  Page: ComponentType<MemberContext>
}

/** Passes the shell's member to a page: features do not import the shell. */
export function MemberPage({ Page }: MemberPageProps) {
  const member = useOutletContext<MemberContext>()
  return <Page {...member} />
}
