import { describe, expect, it } from 'vitest'
import { bindingOf, guardedChange, isPayable, nameOfChange } from './profile.rules.ts'

const current = { email: 'ana@example.com', usdt_wallet: 'old' }

describe('a change of the e-mail or the wallet', () => {
  it.each([
    ['nothing', { first_name: 'Ana' }, null, null],
    ['what is there already', { email: current.email, usdt_wallet: 'old' }, null, null],
    ['the e-mail', { email: 'b@example.com', usdt_wallet: 'old' }, ['b@example.com', null], 'email'],
    ['the wallet', { usdt_wallet: 'new' }, [null, 'new'], 'wallet'],
    ['both', { email: 'b@example.com', usdt_wallet: 'new' }, ['b@example.com', 'new'], 'both'],
    ['the wallet to none', { usdt_wallet: '' }, [null, ''], 'wallet'],
  ])('is known by name and bound to its code: %s', (_name, change, bound, name) => {
    const found = guardedChange(current, change)
    expect(found && JSON.parse(bindingOf(found))).toEqual(bound)
    expect(found && nameOfChange(found)).toBe(name)
  })
})

it.each([
  ['TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ', false],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', false],
  ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', false],
  ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', true],
  ['', false],
])('%j can be paid: %s', (address, expected) => {
  expect(isPayable(address, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(expected)
})
