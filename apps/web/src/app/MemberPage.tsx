import type { ReactNode } from 'react'
import { type MemberContext, useMember } from './memberContext.ts'
import { NotFound } from './NotFoundPage.tsx'

interface MemberPageProps {
  /** Nobody but an operator finds this page. */
  operator?: boolean
  show: (member: MemberContext) => ReactNode
}

/** Hands the shell's member to a page; pages are features and know nothing of the shell. */
export function MemberPage({ operator = false, show }: MemberPageProps) {
  const member = useMember()
  if (!operator) return show(member)
  if (member.user === undefined) return null
  return member.user.is_operator ? show(member) : <NotFound />
}
