import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { QrCode } from './QrCode.tsx'

const ADDRESS = 'TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ'

/** The dark modules of the drawn path, as `x,y`. */
function modulesOf(markup: string): Set<string> {
  const path = /<path fill="#000000" d="([^"]+)"/.exec(markup)?.[1] ?? ''
  const runs = [...path.matchAll(/M(\d+),?\s?(\d+)\s?h(\d+)/g)]
  return new Set(
    runs.flatMap(([, x, y, width]) =>
      Array.from({ length: Number(width) }, (_, step) => `${Number(x) + step},${y}`),
    ),
  )
}

it('a QR code is 256 px large, and says what it is', () => {
  const markup = renderToStaticMarkup(createElement(QrCode, { value: ADDRESS, label: 'An address' }))
  expect(markup).toContain('height="256" width="256"')
  expect(markup).toContain('aria-label="An address"')
  // 34 letters fit into version 3, of 29 modules, at L and at M.
  expect(markup).toContain('viewBox="0 0 29 29"')
})

it.each([ADDRESS, 'otpauth://totp/Aval:ana?secret=JBSWY3DPEHPK3PXP&issuer=Aval'])(
  'a QR code of %s is drawn at level L, as its own format bits say',
  (value) => {
    const dark = modulesOf(renderToStaticMarkup(createElement(QrCode, { value, label: 'x' })))
    expect(dark.size).toBeGreaterThan(100)
    // ISO/IEC 18004: the two highest format bits, masked with 10, stand left in row 8. L is 01, M is 00.
    const bits = [0, 1].map((x) => Number(dark.has(`${x},8`)))
    expect([(bits[0] ?? 0) ^ 1, (bits[1] ?? 0) ^ 0]).toEqual([0, 1])
  },
)
