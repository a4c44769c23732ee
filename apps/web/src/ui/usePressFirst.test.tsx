import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { usePressFirst } from './usePressFirst.ts'

function Form({ onLeft }: { onLeft: () => void }) {
  return (
    <form {...usePressFirst()}>
      <input aria-label="Phone" onBlur={onLeft} />
      <button type="button">Next</button>
    </form>
  )
}

it('a field that a press leaves says so when the press has ended, and at once when a key leaves it', async () => {
  let left = 0
  render(
    <Form
      onLeft={() => {
        left += 1
      }}
    />,
  )
  const field = screen.getByRole('textbox')
  const next = screen.getByRole('button')
  field.focus()
  fireEvent.pointerDown(next)
  next.focus()
  expect(left).toBe(0)
  fireEvent.pointerUp(next)
  fireEvent.click(next)
  expect(left).toBe(0)
  await waitFor(() => expect(left).toBe(1))

  field.focus()
  next.focus()
  expect(left).toBe(2)
})
