import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { startTexts } from './i18n.ts'
import { prefetchRoute } from './pages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')

const RELOADED = 'reloaded_for_new_version'

// A page opened before a deployment asks for files that are gone: load it anew, once.
window.addEventListener('vite:preloadError', (event) => {
  try {
    if (window.sessionStorage.getItem(RELOADED) !== null) return
    window.sessionStorage.setItem(RELOADED, '1')
  } catch {
    return
  }
  event.preventDefault()
  window.location.reload()
})

// The page itself is fetched while the texts are, and while the session is renewed.
prefetchRoute(window.location.pathname)
await startTexts()
createRoot(root).render(<App />)
