import './noEval.ts'
import '@aval/look/base.css'
import './first-paint/firstPaint.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { started } from './early.ts'
import { loadTexts } from './i18n.ts'
import { prefetchRoute } from './pages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')

/** Without its texts the app cannot start. Says so in both languages instead of showing the loader without end. */
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

/** Milliseconds after loading, so that it does not compete with the page. */
const IDLE = 3000

/** Installs the worker once the page is shown. Everything works without it, so a failure is not reported. */
function keepOfflinePage(): void {
  const install = async () => (await import('./offline/install.ts')).installWorker()
  const later = () => setTimeout(() => void install().catch(() => undefined), IDLE)
  if (document.readyState === 'complete') later()
  else window.addEventListener('load', later, { once: true })
}

// The session is renewed while the page itself and the texts are on their way. What index.html shows stays until all are
// here: something drawn in between would be drawn for nothing. Boot.tsx says so where the server could not be reached.
Promise.all([loadTexts('app', 'ui'), prefetchRoute(window.location.pathname), started]).then(
  () => {
    // As a transition, so that a page which takes long to draw lets go of the processor between its parts.
    startTransition(() => createRoot(root).render(<App />))
    keepOfflinePage()
  },
  () => sayNothingLoads(root),
)
