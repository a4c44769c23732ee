import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { toast, useToasterStore } from 'react-hot-toast/headless'
import { afterEach, expect, it } from 'vitest'
import { TOAST_OPTIONS } from './Toasts.tsx'

let found: ReturnType<typeof useToasterStore>['toasts'] = []

function Reader() {
  found = useToasterStore(TOAST_OPTIONS).toasts
  return null
}

/** What the library would show now, with our options. */
function shown() {
  renderToStaticMarkup(createElement(Reader))
  return found
}

afterEach(() => toast.remove())

it.each([
  ['blank', () => toast('x'), 4000],
  ['error', () => toast.error('x'), 4000],
  ['success', () => toast.success('x'), 2000],
  ['loading', () => toast.loading('x'), Number.POSITIVE_INFINITY],
  ['custom', () => toast.custom('x'), 4000],
] as const)(
  'a toast of the kind %s is shown as long as agreed, and taken away a second later',
  (type, say, duration) => {
    say()
    expect(shown()).toMatchObject([{ type, duration, removeDelay: 1000 }])
  },
)

it('twenty toasts are the most there are at once', () => {
  for (let number = 0; number < 30; number += 1) toast(String(number))
  expect(shown().map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, at) => String(29 - at)),
  )
})
