import { usePlace } from '../../shared/place.ts'
import { SupportThreads } from './SupportThreads.tsx'
import { ThreadView } from './ThreadView.tsx'
import './support.css'

/** The list of conversations, or the one whose member the address names. */
export function SupportTab() {
  const { member } = usePlace()
  if (/^[1-9]\d{0,14}$/.test(member)) return <ThreadView key={member} member={Number(member)} />
  return <SupportThreads />
}
