/** What the registration form checks before it asks the server. Names of the messages under `auth:rule`. */
import { spelt } from '@aval/contract/spelt'
import { plainPhone, plainTyped } from '@aval/contract/typed'
export type Rule = 'required' | 'username' | 'email' | 'phone' | 'name' | 'terms'

const USERNAME = /^[\p{Script=Latin}0-9_.-]{3,30}$/u
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/
const PHONE = /^\+?[0-9]{6,20}$/

type Check<Broken extends Rule> = (value: string) => Broken | null

export const checkUsername: Check<'required' | 'username'> = (value) => {
  const typed = plainTyped(value)
  if (typed === '') return 'required'
  return USERNAME.test(typed.normalize('NFC')) ? null : 'username'
}

export const checkEmail: Check<'required' | 'email'> = (value) => {
  const typed = plainTyped(value)
  if (typed === '') return 'required'
  return EMAIL.test(typed) && typed.length <= 254 ? null : 'email'
}

export const checkPhone: Check<'phone'> = (value) => {
  const plain = plainPhone(value)
  return plain === '' || PHONE.test(plain) ? null : 'phone'
}

export const checkName: Check<'name'> = (value) => (spelt(value).length <= 60 ? null : 'name')
