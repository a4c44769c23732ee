import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { deviceCookie, readDeviceCookie } from './device-cookie.ts'

const token = 'x'.repeat(43)
const jwtKey = new Uint8Array(32).fill(1)
const asked = (host: string, cookie?: string) => ({ host, headers: { cookie } }) as FastifyRequest

describe('the cookie of a known device', () => {
  it.each([
    ['https://office.example', 'office.example'],
    ['https://office.example', '10.0.0.7:3000'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://localhost:3000', '127.0.0.1:3000'],
    ['http://localhost:3000', 'aval.localhost:3000'],
    ['http://localhost:3000', '[::1]:3000'],
  ])('is this host’s alone where a browser takes that: %s, asked as %s', (publicUrl, host) => {
    expect(deviceCookie({ publicUrl, jwtKey }, asked(host), token)).toMatch(
      /^__Host-aval-device-[\da-f]{12}=x{43}; Max-Age=15552000; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    )
  })

  it.each([
    ['http://localhost:3000', '192.168.1.5:3000'],
    ['http://localhost:3000', 'localhost.example'],
    ['http://192.168.1.5:3000', '192.168.1.5:3000'],
    ['http://office.example', 'localhost:3000'],
  ])('is kept on plain HTTP elsewhere too, under its calls alone: %s, asked as %s', (publicUrl, host) => {
    const place = { publicUrl, jwtKey }
    const text = deviceCookie(place, asked(host), token)
    expect(text).toMatch(
      /^aval-device-[\da-f]{12}=x{43}; Max-Age=15552000; HttpOnly; SameSite=Strict; Path=\/api\/auth$/,
    )
    expect(readDeviceCookie(place, asked(host, `a=1; ${text.split(';')[0]}`))).toBe(token)
  })

  it('without its prefix counts for nothing where it has one: a neighbouring host could have set it', () => {
    const place = { publicUrl: 'https://office.example', jwtKey }
    const [prefixed = ''] = deviceCookie(place, asked('office.example'), token).split(';')
    expect(readDeviceCookie(place, asked('office.example', prefixed))).toBe(token)
    expect(readDeviceCookie(place, asked('office.example', prefixed.replace('__Host-', '')))).toBeNull()
  })

  it('of another installation is not read', () => {
    const place = { publicUrl: 'http://localhost:3000', jwtKey }
    const [pair = ''] = deviceCookie(place, asked('localhost:3000'), token).split(';')
    const other = { ...place, jwtKey: new Uint8Array(32).fill(2) }
    expect(readDeviceCookie(other, asked('localhost:3100', pair))).toBeNull()
  })
})
