import { scriptUrl } from '../../api/scriptUrl.ts'

/** Installs the worker that keeps the offline page, where there are workers. */
export async function installWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(scriptUrl('/sw.js'), { updateViaCache: 'none' })
}
