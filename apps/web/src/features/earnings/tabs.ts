/** The lists of the page, as the URL names them. */
export const TABS = ['direct', 'passive', 'binary', 'points', 'not-paid'] as const
export type Tab = (typeof TABS)[number]

/**
 * The tabs to show. What a member has never had to do with is left out, unless the URL asks for it; until that is known
 * (`binary` undefined) the later tabs wait, so that none moves under the pointer.
 */
export function shownTabs(current: Tab, binary: boolean | undefined): Tab[] {
  const isBinary = (tab: Tab) => tab === 'binary' || tab === 'points'
  const withBinary = binary === true || isBinary(current)
  return TABS.filter((tab) => {
    if (tab === current || tab === 'direct' || tab === 'passive') return true
    if (isBinary(tab)) return withBinary
    return binary !== undefined
  })
}
