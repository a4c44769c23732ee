import { screen, waitFor } from '@testing-library/react'
import { createRef } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { fakeServer, held } from '../../../../testing/server.ts'
import { SearchBox } from './SearchBox.tsx'

it('takes the person whose name was typed although Enter came before the answer', async () => {
  const answer = held()
  fakeServer().on('GET tree/search/', answer.reply)
  const picked: string[] = []
  const box = <SearchBox view="unilevel" input={createRef()} onPick={(id) => picked.push(id)} />
  const user = await show(box, { texts: ['genealogy/tree'] })
  await user.type(screen.getByRole('combobox'), 'cira{Enter}')
  answer.give({ results: [{ id: 'O-7', name: 'Cira', username: 'cira', depth: 1 }], more: false })
  await waitFor(() => expect(picked).toEqual(['O-7']))
})
