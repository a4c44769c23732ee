import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { useOutletContext } from 'react-router'
import { NotFound } from './ErrorPages.tsx'

/** What the shell gives every page inside it. */
export interface MemberContext {
  /** Undefined until the first answer. */
  user: CurrentUser | undefined
  onInvest: () => void
}

interface MemberPageProps {
  /** Only operators find this page. */
  operator?: boolean
  show: (member: MemberContext) => ReactNode
}

/** Passes the shell's member to a page: features do not import the shell. */
export function MemberPage({ operator = false, show }: MemberPageProps) {
  const member = useOutletContext<MemberContext>()
  if (!operator) return show(member)
  if (member.user === undefined) return null
  return member.user.is_operator ? show(member) : <NotFound />
}
