import '@aval/look/base.css'
import '@aval/look/controls.css'
import '@aval/look/forms.css'
import '@aval/look/address.css'
import '@aval/look/brand.css'
import './approvals.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(<App />)
