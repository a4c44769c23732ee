import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../testing/page.tsx'
import { column, type ListState, PagedTable } from './DataTable.tsx'

const PAGE = { count: 1, total_pages: 1, links: { next: null, previous: null }, results: [{ id: 1 }] }

async function table(more: Partial<ListState<{ id: number }>>, page = 1) {
  cleanup()
  const list = { data: PAGE, isFetching: true, refetch: () => undefined, ...more }
  await show(
    <PagedTable
      list={list}
      caption="Rows"
      columns={[column('Number', (row: { id: number }) => `row ${row.id}`)]}
      rowKey={(row) => row.id}
      page={page}
      onPage={() => undefined}
      empty={null}
    />,
    { texts: [] },
  )
  return screen.queryByRole('table')?.parentElement?.getAttribute('aria-busy')
}

it('a list that is asked for anew stays as it is, also when that fails', async () => {
  expect(await table({ currentData: PAGE })).toBe('false')
  expect(await table({ currentData: PAGE, isFetching: false, error: { status: 500 } })).toBe('false')
  screen.getByText('row 1')
})

it('a page whose last row has gone since is no longer shown', async () => {
  const gone = { currentData: PAGE, isFetching: false, error: { status: 404 } }
  expect(await table(gone, 2)).toBeUndefined()
  screen.getByText('This page no longer exists.')
})

it('another page is waited for over the one before', async () => {
  expect(await table({})).toBe('true')
})

it('the pages say of which list they are: a page may have more than one', async () => {
  await table({ data: { ...PAGE, total_pages: 3 } })
  screen.getByRole('navigation', { name: 'Pages: Rows' })
})

it('a row that a link led to is opened, marked and brought into view', async () => {
  const shown: Element[] = []
  Element.prototype.scrollIntoView = function (this: Element) {
    shown.push(this)
  }
  const list = {
    data: { ...PAGE, results: [{ id: 1 }, { id: 2 }] },
    isFetching: false,
    refetch: () => undefined,
  }
  cleanup()
  await show(
    <PagedTable
      list={list}
      caption="Rows"
      columns={[column('Number', (row: { id: number }) => `row ${row.id}`)]}
      rowKey={(row) => row.id}
      detail={(row) => `about ${row.id}`}
      led={2}
      page={1}
      onPage={() => undefined}
      empty={null}
    />,
    { texts: [] },
  )
  screen.getByText('about 2')
  expect(screen.queryByText('about 1')).toBeNull()
  expect(shown).toEqual([screen.getByText('row 2').closest('tr')])
  expect(shown[0]?.getAttribute('data-led')).toBe('true')
})
