import { screen } from '@testing-library/react'
import { it } from 'vitest'
import { show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { BinaryCard } from './BinaryCard.tsx'

it('the legs say what a reversal does to their points, and that it leaves what was paid', async () => {
  fakeServer().on('GET payments/binary-standing/', {
    as_of: '2026-05-03',
    left_points: '10.00',
    right_points: '5.00',
    qualified: true,
    lacking: [],
    percentage: '10',
    daily_cap: '1000.00',
  })
  await show(<BinaryCard />, { texts: ['earnings'] })
  await screen.findByText(/reversed, its points come off .* matches to come\. What was paid stands\.$/)
})
