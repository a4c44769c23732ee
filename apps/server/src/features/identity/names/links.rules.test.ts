import { expect, it } from 'vitest'
import { demoNetwork } from '../../demo/demo-network.ts'
import { hasLink } from './links.rules.ts'

it.each([
  ...[
    'Aval Soporte https://evil.example',
    'http://x',
    'HTTPS:evil',
    '//evil',
    'www.evil',
    'tg:evil',
    'mailto:ana',
  ],
  ...[
    'x.com',
    'Ana x.com',
    'X.COM',
    'Evil.Top',
    'evil.example',
    'evil.example/login',
    'visita evil.de',
    'a.b.com',
  ],
  ...[
    't.me/aval',
    'wa.me/573001234567',
    'ana@example.com',
    '@aval',
    'Ana ＠aval',
    'evil。com',
    'ｅｖｉｌ．ｃｏｍ',
  ],
  ...['10.0.0.1', 'xn--80ak6aa92e.com', 'a.xn--p1ai', 'aval.рф', 'ana_m.io', 'maria.jose'],
])('%j is a link or an address', (name) => {
  expect(hasLink(name)).toBe(true)
})

it.each([
  ...[
    'O’Brien',
    "O'Brien",
    'María José',
    'Nguyễn Văn',
    'Björk Guðmundsdóttir',
    'J.P. Morgan',
    'J.P.Morgan',
    'j.p. morgan',
  ],
  ...[
    'Ana M. de la Cruz',
    'St. John',
    'St.John',
    'Ma.Fernanda',
    'ma.fernanda',
    'Ma.de Jesús',
    'Fco.de Asís',
    'Ma.la Paz',
  ],
  ...[
    'Jr.',
    'Martin Luther King, Jr.',
    'Ph.D.',
    'S.A.de C.V.',
    'Gal·la',
    'D’Angelo',
    'Ana-Sofía',
    '李小龙',
    'Srta.Ana',
    '',
  ],
  ...demoNetwork().map(({ firstName, lastName }) => `${firstName} ${lastName}`),
])('%j is a name', (name) => {
  expect(hasLink(name)).toBe(false)
})
