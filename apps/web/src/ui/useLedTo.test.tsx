import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../testing/page.tsx'
import { Link } from './Link.tsx'
import { useLedTo } from './useLedTo.ts'

function Part() {
  useLedTo('part')
  return (
    <h2 id="part" tabIndex={-1}>
      Part
    </h2>
  )
}

it('a link to a part of a page brings it into view, and the focus to its heading, each time it is followed', async () => {
  const scroll = vi.fn()
  Element.prototype.scrollIntoView = scroll
  const user = await show(
    <>
      <Part />
      <Link to="#part">There</Link>
      <Link to="#elsewhere">Elsewhere</Link>
    </>,
    { texts: [] },
  )
  await user.click(screen.getByText('Elsewhere'))
  expect(scroll).not.toHaveBeenCalled()
  for (const time of [1, 2]) {
    await user.click(screen.getByText('There'))
    await waitFor(() => expect(scroll).toHaveBeenCalledTimes(time))
    expect(document.activeElement).toBe(screen.getByRole('heading'))
  }
})
