import { expect, it } from 'vitest'
import { regionOf } from './regions.ts'

it.each([
  [['es-MX', 'es', 'en-US'], undefined, 'es-MX'],
  [['en-US', 'es-PE'], undefined, 'es-PE'],
  [['es-419', 'es'], 'America/Mexico_City', 'es-MX'],
  [['es-419', 'es-CO'], 'America/Lima', 'es-CO'],
  [['es'], 'Europe/Madrid', 'es-ES'],
  [['es-419'], 'Asia/Tokyo', null],
  [['es-419'], undefined, null],
  [['en-US', 'en'], 'America/Bogota', null],
  [['pt-BR', 'de-DE'], 'America/Lima', null],
  [['*', ''], undefined, null],
  [[], undefined, null],
])('a browser in %j, in %s, is in %s', (tags, timeZone, region) => {
  expect(regionOf(tags, timeZone)).toBe(region)
})
