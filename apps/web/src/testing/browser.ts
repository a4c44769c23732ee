/** What the page's modules expect of a browser before the first of them is loaded. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A machine that does other things as well is no fault of the page.
configure({ asyncUtilTimeout: 60_000 })
localStorage.setItem('language', 'en')
// jsdom lays nothing out, and has nothing to scroll.
Element.prototype.scrollIntoView = () => undefined
afterEach(cleanup)
