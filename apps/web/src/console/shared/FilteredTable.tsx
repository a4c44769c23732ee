import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListState, PagedTable, type PagedTableProps } from '../../ui/DataTable.tsx'

interface FilteredTableProps<Row, Choice> extends Omit<PagedTableProps<Row>, 'onPage'> {
  list: ListState<Row> & { isStale?: boolean }
  /** What the buttons choose, for those who hear the page. */
  filter: string
  choices: readonly Choice[]
  current: Choice
  textOf: (choice: Choice) => string
  onShow: (choice: Choice, page: number) => void
  /** At the end of the buttons: what can be done with the whole list. */
  tools?: ReactNode
}

/** A list, with buttons above it that say which part of it is shown. */
export function FilteredTable<Row, Choice extends string | boolean | null>(
  props: FilteredTableProps<Row, Choice>,
) {
  const { filter, choices, current, textOf, onShow, tools, ...table } = props
  const { t } = useTranslation('console/shared')
  return (
    <>
      <div className="chips row-8 row-apart">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form */}
        <div className="row-8" role="group" aria-label={filter}>
          {choices.map((choice) => (
            <button
              key={String(choice)}
              type="button"
              className="chip small"
              aria-pressed={choice === current}
              onClick={() => onShow(choice, 1)}
            >
              {textOf(choice)}
            </button>
          ))}
        </div>
        {tools}
      </div>
      {table.list.isStale ? <p className="stale muted small">{t('stale')}</p> : null}
      <PagedTable {...table} onPage={(page) => onShow(current, page)} />
    </>
  )
}
