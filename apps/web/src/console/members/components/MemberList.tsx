import { useQueryState } from 'nuqs'
import { type ListState, PagedTable, type PagedTableProps } from '../../../ui/DataTable.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import type { MemberPage } from '../api.ts'

interface MemberListProps<Row> extends Omit<PagedTableProps<Row>, 'list' | 'page' | 'onPage' | 'empty'> {
  id: string
  of: (asked: MemberPage) => ListState<Row>
  /** Where the page stands in the address; two lists of a tab have two. */
  at?: string
  /** Whether the caption stands above it: where a tab has several lists. */
  titled?: boolean
  none: string
}

/** A list of one member, a page after another. */
export function MemberList<Row>({
  id,
  of: useList,
  at = 'page',
  titled,
  none,
  ...table
}: MemberListProps<Row>) {
  const [page, setPage] = useQueryState(at, parseAsPage)
  const list = useList({ id, page })
  return (
    <section className="card">
      {titled ? <h2 className="members-title">{table.caption}</h2> : null}
      <PagedTable {...table} list={list} page={page} onPage={setPage} empty={<EmptyState text={none} />} />
    </section>
  )
}
