import { scriptUrl } from '../../api/scriptUrl.ts'

/** Long enough after the page is there not to compete with it. */
const IDLE = 3000

/** Everything works without the worker: where it is not to be had, nothing is said. */
async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(scriptUrl('/sw.js'), { updateViaCache: 'none' })
  } catch {}
}

/** Has the browser keep the page for when there is no connection, once this one is shown. */
export function keepOfflinePage(): void {
  if (!('serviceWorker' in navigator)) return
  const later = () => setTimeout(register, IDLE)
  if (document.readyState === 'complete') later()
  else window.addEventListener('load', later, { once: true })
}
