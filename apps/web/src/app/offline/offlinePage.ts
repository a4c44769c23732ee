/** Milliseconds between two polls of the server. */
const AGAIN = 10_000

const TITLES = { es: 'Sin conexión · Aval', en: 'No connection · Aval' }

/** Reloads on any answer: an error page of the server says more than this one. */
async function reloadWhenBack(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  try {
    const answer = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })
    if (answer.status < 502 || answer.status > 504) window.location.reload()
  } catch {
    // Not yet.
  }
}

document.title = TITLES[document.documentElement.lang === 'en' ? 'en' : 'es']
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => window.location.reload())
window.addEventListener('online', reloadWhenBack)
document.addEventListener('visibilitychange', reloadWhenBack)
setInterval(reloadWhenBack, AGAIN)
