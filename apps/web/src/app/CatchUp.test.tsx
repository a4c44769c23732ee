import { act, cleanup, render, screen } from '@testing-library/react'
import { BrowserRouter, useLocation } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { CatchUp } from './CatchUp.tsx'

afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

let step: string | undefined

/** Somebody goes to another page while the first one is being drawn. */
function Shown() {
  const { pathname, search } = useLocation()
  if (step !== undefined) {
    window.history.pushState(null, '', step)
    step = undefined
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  return <h1>{`${pathname}${search}`}</h1>
}

it.each([
  ['/profile', '/profile'],
  ['/operator', '/operator'],
  [undefined, '/operator?tab=support'],
])('a step to %s while the app is being drawn is made up for', async (taken, shown) => {
  window.history.replaceState(null, '', '/operator?tab=support')
  step = taken
  await act(async () => {
    render(
      <BrowserRouter>
        <CatchUp />
        <Shown />
      </BrowserRouter>,
    )
  })
  expect(screen.getByRole('heading').textContent).toBe(shown)
})
