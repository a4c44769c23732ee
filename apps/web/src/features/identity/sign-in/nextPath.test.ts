import { describe, expect, it } from 'vitest'
import { nextPath, signInPath } from './nextPath.ts'

const ORIGIN = 'https://office.aval.app'

describe('nextPath', () => {
  it.each([
    ['/payments', '/payments'],
    ['/payments?tab=passive&page=3#row', '/payments?tab=passive&page=3#row'],
    ['/a/../dashboard', '/dashboard'],
  ])('honours %j', (next, path) => {
    expect(nextPath(next, ORIGIN)).toBe(path)
  })

  it.each([
    null,
    '',
    'payments',
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    ' /payments',
    '//office.aval.app@evil.example/',
    '/.//evil.example',
    '/..//evil.example/x',
    '/%2e//evil.example',
    '/payments/..//evil.example',
    '/\n/evil.example',
    'data:text/html,x',
    'https:/evil.example',
    'x'.repeat(5000),
    '/',
    '/auth/login/?next=/payments',
  ])('goes home instead of to %j', (next) => {
    expect(nextPath(next, ORIGIN)).toBe('/dashboard')
  })
})

describe('signInPath', () => {
  it('carries the whole wanted address', () => {
    const path = signInPath({ pathname: '/payments', search: '?tab=passive&page=2', hash: '' })
    expect(path).toBe('/auth/login/?next=%2Fpayments%3Ftab%3Dpassive%26page%3D2')
    const next = new URL(path, ORIGIN).searchParams.get('next')
    expect(nextPath(next, ORIGIN)).toBe('/payments?tab=passive&page=2')
  })
})
