import './noEval.ts'
import { createRoot } from 'react-dom/client'
import { session } from '../api/browserSession.ts'
import { App } from './App.tsx'
import { startTexts } from './i18n.ts'
import { keepOfflinePage } from './offline/register.ts'
import { prefetchRoute } from './pages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')

const RELOADED = 'reloaded_for_new_version'
/** Milliseconds in which one reload has to do: what is still missing then is not missing for a new version. */
const ONCE_IN = 60_000

/** Whether the page was loaded anew for this reason a moment ago; unknown counts as yes, or it would never end. */
function hasJustReloaded(): boolean {
  try {
    if (Date.now() - Number(window.sessionStorage.getItem(RELOADED)) < ONCE_IN) return true
    window.sessionStorage.setItem(RELOADED, String(Date.now()))
    return false
  } catch {
    return true
  }
}

// A page opened before a deployment asks for files that are gone: load it anew.
window.addEventListener('vite:preloadError', (event) => {
  if (hasJustReloaded()) return
  event.preventDefault()
  window.location.reload()
})

/** Without its texts there is no app: says so in both languages rather than showing the loader for ever. */
function sayNothingLoads(page: HTMLElement): void {
  const text = document.createElement('p')
  text.textContent = 'No pudimos cargar Aval. Recarga la página. · Aval could not be loaded. Reload the page.'
  const again = document.createElement('a')
  again.textContent = 'Aval'
  again.href = window.location.href
  const place = document.createElement('main')
  place.className = 'boot'
  place.append(text, again)
  page.replaceChildren(place)
}

// The page itself is fetched, and the session renewed, while the texts are on their way; Boot.tsx waits for both.
prefetchRoute(window.location.pathname)
void session.start()
startTexts().then(
  () => {
    createRoot(root).render(<App />)
    keepOfflinePage()
  },
  () => sayNothingLoads(root),
)
