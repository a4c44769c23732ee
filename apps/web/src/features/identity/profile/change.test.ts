import { describe, expect, it } from 'vitest'
import { user as ana } from '../../../testing/figures.ts'
import { changeOf, checkEmail, checkWallet, needsCode, valuesOf } from './change.ts'

const user = { ...ana, phone_number: '5512345678' }
const wallet = user.usdt_wallet

describe('what is new', () => {
  it('is nothing in a form as it came', () => {
    expect(changeOf(valuesOf(user), user)).toEqual({})
  })

  it('is nothing where only the way of writing differs', () => {
    const values = {
      ...valuesOf(user),
      first_name: ' Ana ',
      phone_number: '(55) 1234-5678',
      usdt_wallet: wallet.replace(/(.{4})/g, '$1 '),
    }
    expect(changeOf(values, user)).toEqual({})
  })

  it('is what was typed, as it is sent', () => {
    const values = { ...valuesOf(user), last_name: ' Núñez ', phone_number: '+52 55 1234', locale: 'en' }
    expect(changeOf(values, user)).toEqual({ last_name: 'Núñez', phone_number: '+52551234', locale: 'en' })
  })

  it('takes a code when it is the e-mail or the wallet', () => {
    expect(needsCode({ first_name: 'Ana', locale: 'en' })).toBe(false)
    expect(needsCode({ email: 'b@example.com' })).toBe(true)
    expect(needsCode({ usdt_wallet: wallet })).toBe(true)
  })
})

describe('before the server is asked', () => {
  it.each([
    ['ana@example.com', null],
    [' ana@example.com ', null],
    ['', 'emailMissing'],
    ['ana@example', 'email'],
    ['ana@exa mple.com', 'email'],
  ])('the e-mail %j is %s', (typed, rule) => expect(checkEmail(typed)).toBe(rule))

  it.each([
    [wallet, '', null],
    [`${wallet.slice(0, 4)} ${wallet.slice(4)}`, '', null],
    ['', '', null],
    ['', wallet, 'wallet'],
    ['0xdac17f958d2ee523a2206206994597c13d831ec7', '', 'wallet'],
    [`${wallet}A`, '', 'wallet'],
  ])('the wallet %j, after %j, is %s', (typed, known, rule) => expect(checkWallet(typed, known)).toBe(rule))
})
