import { expect, it } from 'vitest'
import { ago } from './ago.ts'
import { barWidths } from './figures.ts'

it.each([
  ['1000.00', '500.00', 100, 50],
  ['999.00', '1000.00', 99.9, 100],
  ['0.00', '1000.00', 0, 100],
  ['0.00', '0.00', 0, 0],
])('%s in custody beside %s owed are bars of %d and %d percent', (held, due, custody, owed) => {
  expect(barWidths(held, due)).toEqual({ custody, owed })
})

const at = new Date('2026-05-03T15:00:00Z')
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)

it.each([
  [-5, 'just now', 'hace un momento'],
  [59, 'just now', 'hace un momento'],
  [60, '1 minute ago', 'hace 1 minuto'],
  [179, '2 minutes ago', 'hace 2 minutos'],
  [7200, '2 hours ago', 'hace 2 horas'],
  [200_000, '2 days ago', 'hace 2 días'],
])('%i seconds later it was %s', (seconds, english, spanish) => {
  expect(ago(at, later(seconds), 'en', 'just now')).toBe(english)
  expect(ago(at, later(seconds), 'es', 'hace un momento')).toBe(spanish)
})
