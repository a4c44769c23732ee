import { type ComponentType, useSyncExternalStore } from 'react'
import { useOutletContext } from 'react-router'
import { onTimeZone, timeZone } from '../api/timeZone.ts'
import { NotFound } from './ErrorPages.tsx'
import type { MemberContext } from './memberContext.ts'

interface MemberPageProps {
  Page: ComponentType<MemberContext>
  forOperators: boolean
}

/** Passes the shell's member to a page: features do not import the shell. */
export function MemberPage({ Page, forOperators }: MemberPageProps) {
  const member = useOutletContext<MemberContext>()
  const zone = useSyncExternalStore(onTimeZone, timeZone)
  // Every time on it is written anew in another time zone.
  if (!forOperators || member.user?.is_operator === true) return <Page key={zone} {...member} />
  return member.user === undefined ? null : <NotFound />
}
