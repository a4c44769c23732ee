import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { startTexts } from './i18n.ts'
import { prefetchRoute } from './pages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')

// The page itself is fetched while the texts are, and while the session is renewed.
prefetchRoute(window.location.pathname)
await startTexts()
createRoot(root).render(<App />)
