import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { PasswordField } from './PasswordField.tsx'

const shown = (label = 'Password') => {
  render(<PasswordField label={label} name="password" autoComplete="current-password" />)
  return screen.getByLabelText<HTMLInputElement>(label)
}

describe('the field of a password', () => {
  it('hides what is typed until its person wants to see all of it', () => {
    const field = shown()
    expect(field.type).toBe('password')
    fireEvent.click(screen.getByRole('button'))
    expect(field.type).toBe('text')
    fireEvent.click(screen.getByRole('button'))
    expect(field.type).toBe('password')
  })

  it('takes what is pasted or dropped, and lets a keeper of passwords fill it in', () => {
    const field = shown()
    for (const event of [createEvent.paste(field), createEvent.drop(field), createEvent.copy(field)]) {
      fireEvent(field, event)
      expect(event.defaultPrevented).toBe(false)
    }
    expect(field.autocomplete).toBe('current-password')
    expect([field.readOnly, field.disabled]).toEqual([false, false])
  })
})
