/** What opens over a page, or is shown in one when there is a reason. */
import { part } from './i18n.ts'

export const Around = part(async () => (await import('./shell/Around.tsx')).Around, 'demo', 'support')
/** The dashboard has a line of its own until it is known what the reserves cover. */
const reserves = () => import('../features/reserves/line/ReservesNotice.tsx')
export const ReservesLine = part(async () => (await reserves()).ReservesLine, 'reserves/line')
export const ReservesNotice = part(async () => (await reserves()).ReservesNotice, 'reserves/line')
export const SidebarTrap = part(async () => (await import('./shell/SidebarTrap.tsx')).SidebarTrap)
export const InvestDialog = part(
  async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
  'investments',
)
export const PendingInvestments = part(
  async () => (await import('../features/investments/components/PendingInvestments.tsx')).PendingInvestments,
  'investments',
)
export const ReservesDialog = part(
  async () => (await import('../features/reserves/components/ReservesDialog.tsx')).ReservesDialog,
  'reserves',
)
