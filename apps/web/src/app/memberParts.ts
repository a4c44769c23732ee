/** What opens over a page, or is shown in one when there is a reason. */
import { part } from './i18n.ts'

export const Around = part(async () => (await import('./shell/Around.tsx')).Around, 'demo', 'support')
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
