import { describe, expect, it } from 'vitest'
import { hostKind, isFromPage } from './hosts.rules.ts'

const own = new URL('https://approve.aval.example')
const local = new URL('http://localhost:3002')

describe('the name under which the page is asked for', () => {
  it.each([
    ['approve.aval.example', own, 'own'],
    ['APPROVE.aval.example', own, 'own'],
    ['localhost:3002', local, 'own'],
    ['127.0.0.1:3002', local, 'address'],
    ['192.168.1.20:3002', own, 'address'],
    ['[::1]:3002', local, 'address'],
    ['localhost:3002', own, 'address'],
    // A stranger's name server can point any of these at this machine.
    ['evil.example', own, 'other'],
    ['127.0.0.1.evil.example', local, 'other'],
    ['localhost.evil.example:3002', local, 'other'],
    ['approve.aval.example.evil.example', own, 'other'],
    ['approve.aval.example:8443', own, 'other'],
    ['', own, 'other'],
    [undefined, own, 'other'],
  ] as const)('%j at %s is %s', (header, url, kind) => {
    expect(hostKind(header, url)).toBe(kind)
  })
})

describe('where a request says that it comes from', () => {
  it.each([
    ['https://approve.aval.example', true],
    ['http://approve.aval.example', false],
    ['https://approve.aval.example:444', false],
    ['https://evil.example', false],
    ['null', false],
    [undefined, false],
  ])('%j is the page: %s', (origin, is) => {
    expect(isFromPage(origin, own)).toBe(is)
  })
})
