import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { Plot } from '../plot.ts'
import { Newcomer } from './Overlays.tsx'

const open = (isPast: boolean) =>
  show(<Newcomer plot={new Plot('unilevel', [])} refCode="1234567" isPast={isPast} />, {
    texts: ['genealogy/tree'],
  })

it('invites to begin where the network is empty', async () => {
  await open(false)
  expect(screen.getByText(/Your network begins with you/)).not.toBeNull()
  expect(screen.getByRole('button', { name: 'Copy link' })).not.toBeNull()
})

it('says of a day before anybody joined that there was nobody, and offers no link that could change it', async () => {
  await open(true)
  expect(screen.getByText(/On that day there was nobody/)).not.toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})
