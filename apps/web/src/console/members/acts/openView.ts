import type { View } from '../../../api/view.ts'

/** Opens a member's pages in a tab of their own. False where the browser opens none. */
export function openView(view: View): boolean {
  const tab = window.open('', '_blank')
  if (tab === null) return false
  // The new tab begins with a copy of this one's storage.
  tab.sessionStorage.clear()
  tab.sessionStorage.setItem('view', JSON.stringify(view))
  // No other tab is in this session, nor in one of this name.
  tab.sessionStorage.setItem('session', `${view.username} ${view.until}`)
  tab.opener = null
  tab.location.assign('/dashboard')
  return true
}
