import { expect, it } from 'vitest'

const files = import.meta.glob<Record<string, unknown>>(
  ['../features/**/locales/en.json', '../ui/locales/en.json', './locales/en.json'],
  { import: 'default', eager: true },
)

function textOf(file: string, key: string): unknown {
  let found: unknown = files[file]
  for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
  return found
}

/** Words that were agreed to the letter, slips included, and that no journey reads. */
it.each([
  ['./locales/en.json', 'page.tree', 'Binary Tree'],
  ['./locales/en.json', 'logout', 'Logout'],
  ['../ui/locales/en.json', 'pagination.previous', 'Prev'],
  ['../ui/locales/en.json', 'pagination.next', 'Next'],
  ['../ui/locales/en.json', 'failure.other', 'An error occurred'],
  ['../ui/locales/en.json', 'password.rule.short', 'The password must be at least 8 characters'],
  ['../ui/locales/en.json', 'password.rule.long', 'The password must be at most 20 characters'],
  ['../ui/locales/en.json', 'password.rule.differ', 'The passwords must match'],
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
  expect(textOf(file, key)).toBe(text)
})
