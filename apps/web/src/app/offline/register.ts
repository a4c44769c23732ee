import { scriptUrl } from '../../api/scriptUrl.ts'

/** Milliseconds after loading, so that it does not compete with the page. */
const IDLE = 3000

/** Everything works without the worker, so a failure is not reported. */
async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(scriptUrl('/sw.js'), { updateViaCache: 'none' })
  } catch {}
}

/** Installs the worker once the page is shown. */
export function keepOfflinePage(): void {
  if (!('serviceWorker' in navigator)) return
  const later = () => setTimeout(register, IDLE)
  if (document.readyState === 'complete') later()
  else window.addEventListener('load', later, { once: true })
}
