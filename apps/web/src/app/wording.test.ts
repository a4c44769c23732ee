import { describe, expect, it } from 'vitest'

interface Texts {
  readonly [name: string]: string | Texts
}

const files = import.meta.glob<Texts>(
  ['../{features,console}/**/locales/*.json', '../ui/locales/*.json', './locales/*.json'],
  { import: 'default', eager: true },
)

/** Keys down to the leaves, plural forms taken as one: Spanish has one form more than English. */
function keysOf(texts: Texts, path = ''): string[] {
  const keys = Object.entries(texts).flatMap(([name, value]) => {
    const key = `${path}${name.replace(/_(one|many|other)$/, '')}`
    return typeof value === 'string' ? [key] : keysOf(value, `${key}.`)
  })
  return [...new Set(keys)].sort()
}

const gapsOf = (texts: Texts): string[] =>
  [...JSON.stringify(texts).matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort()

const spanish = Object.keys(files).filter((path) => path.endsWith('/es.json'))

describe('the texts', () => {
  it('are all found', () => {
    expect(spanish.length).toBeGreaterThanOrEqual(8)
  })

  it.each(spanish)('%s says in English what it says in Spanish', (path) => {
    const es = files[path] ?? {}
    const en = files[path.replace('es.json', 'en.json')] ?? {}
    expect(keysOf(en)).toEqual(keysOf(es))
    expect(new Set(gapsOf(en))).toEqual(new Set(gapsOf(es)))
  })
})

/** Words that were agreed to the letter, slips included, and that no journey reads. */
it.each([
  ['./locales/en.json', 'page.tree', 'Binary Tree'],
  ['./locales/en.json', 'logout', 'Logout'],
  ['../ui/locales/en.json', 'pagination.previous', 'Prev'],
  ['../ui/locales/en.json', 'pagination.next', 'Next'],
  ['../ui/locales/en.json', 'failure.other', 'An error occurred'],
  [
    '../features/identity/new-password/locales/en.json',
    'rule.short',
    'The password must be at least 8 characters',
  ],
  [
    '../features/identity/new-password/locales/en.json',
    'rule.long',
    'The password must be at most 128 characters',
  ],
  ['../features/identity/new-password/locales/en.json', 'rule.differ', 'The passwords must match'],
  ['../features/identity/locales/en.json', 'rule.email', 'The e-mail is not valid'],
  ['../features/identity/locales/en.json', 'rule.phone', 'Use digits only, 6 to 20 of them'],
  ['../features/identity/locales/en.json', 'captcha.failed', 'We could not verify that you are not a robot.'],
  ['../features/identity/locales/en.json', 'otp.missing', 'Enter the six digits'],
  ['../features/appearance/locales/en.json', 'title', 'Preview Settings'],
  ['../features/appearance/locales/en.json', 'subtitle', 'Customize and preview in real time'],
  ['../features/appearance/locales/en.json', 'reset', 'Reset'],
  ['../features/appearance/locales/en.json', 'buyNow', 'Buy Now'],
  ['../features/appearance/locales/en.json', 'sidenav.full', 'Overlay'],
  ['../features/appearance/locales/en.json', 'font.public', 'Public Sans'],
  ['../features/support/locales/en.json', 'title', 'Live Chat'],
  ['../features/support/locales/en.json', 'topics.callback', 'Request callback'],
  ['../features/support/locales/en.json', 'topics.order', 'Place an order'],
  ['../features/support/locales/en.json', 'topics.help', 'Help with something'],
  ['../features/support/locales/en.json', 'topics.payment', 'Payment method not working'],
  ['../features/genealogy/tree/locales/en.json', 'noName', 'No first name'],
  ['../features/dashboard/locales/en.json', 'greeting.morning', 'Good Morning'],
  ['../features/dashboard/locales/en.json', 'greeting.afternoon', 'Good Afternoon'],
  ['../features/dashboard/locales/en.json', 'greeting.night', 'Good Night'],
])('%s says at %s "%s"', (file, key, text) => {
  expect(files[file]).toHaveProperty(key, text)
})
