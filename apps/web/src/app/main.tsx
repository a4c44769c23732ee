import './noEval.ts'
import { createRoot } from 'react-dom/client'
import { session } from '../api/browserSession.ts'
import { App } from './App.tsx'
import { startTexts } from './i18n.ts'
import { keepOfflinePage } from './offline/register.ts'
import { prefetchRoute } from './pages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')

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
