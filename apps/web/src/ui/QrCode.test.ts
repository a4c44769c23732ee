import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { QrCode } from './QrCode.tsx'

it('a QR code is 256 px large, and dense as level L allows', () => {
  const value = 'TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ'
  const markup = renderToStaticMarkup(createElement(QrCode, { value, label: 'An address' }))
  expect(markup).toContain('height="256" width="256"')
  expect(markup).toContain('aria-label="An address"')
  // 34 letters fit into version 3, of 29 modules, at L; at M they would take the next one.
  expect(markup).toContain('viewBox="0 0 29 29"')
})
