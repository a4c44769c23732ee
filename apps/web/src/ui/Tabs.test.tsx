import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Tabs } from './Tabs.tsx'

const WIDTH = 100
const PARTS = ['paid', 'points', 'not-paid'] as const

afterEach(() => vi.restoreAllMocks())

const tabs = (keys: readonly (typeof PARTS)[number][]) => (
  <Tabs
    label="Payments"
    tabs={keys.map((key) => ({ key, label: key }))}
    current="not-paid"
    onChange={() => undefined}
  >
    list
  </Tabs>
)

it('the chosen tab stays in the middle when tabs before it come later', () => {
  // In a row as wide as one tab: a window without a layout has no widths of its own.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(WIDTH)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(WIDTH)
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return this.parentElement === null ? 0 : WIDTH * [...this.parentElement.children].indexOf(this)
  })
  const { rerender } = render(tabs(['paid', 'not-paid']))
  expect(screen.getByRole('tablist').scrollLeft).toBe(WIDTH)
  rerender(tabs(PARTS))
  expect(screen.getByRole('tablist').scrollLeft).toBe(2 * WIDTH)
})
