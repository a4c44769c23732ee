/** What the registration form checks before it asks the server. Names of the messages under `auth:rule`. */
export type Rule = 'required' | 'username' | 'email' | 'phone' | 'name' | 'terms'

const USERNAME = /^[\p{Script=Latin}0-9_.-]{3,30}$/u
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/
const PHONE = /^\+?[0-9]{6,20}$/

type Check<Broken extends Rule> = (value: string) => Broken | null

export const checkUsername: Check<'required' | 'username'> = (value) => {
  if (value.trim() === '') return 'required'
  return USERNAME.test(value.trim().normalize('NFC')) ? null : 'username'
}

export const checkEmail: Check<'required' | 'email'> = (value) => {
  if (value.trim() === '') return 'required'
  return EMAIL.test(value.trim()) && value.length <= 254 ? null : 'email'
}

/** As people write it, with spaces, dashes and brackets; sent without them. */
export const plainPhone = (value: string): string => value.replace(/[\s().-]/g, '')

export const checkPhone: Check<'phone'> = (value) => {
  const plain = plainPhone(value)
  return plain === '' || PHONE.test(plain) ? null : 'phone'
}

export const checkName: Check<'name'> = (value) => (value.trim().length <= 60 ? null : 'name')
