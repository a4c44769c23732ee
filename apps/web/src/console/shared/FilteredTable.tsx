import { useTranslation } from 'react-i18next'
import { type ListState, PagedTable, type PagedTableProps } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'

interface FilteredTableProps<Row, Choice> extends Omit<PagedTableProps<Row>, 'onPage'> {
  list: ListState<Row> & { isStale?: boolean }
  /** What the buttons choose, for those who hear the page. */
  filter: string
  choices: readonly Choice[]
  current: Choice
  textOf: (choice: Choice) => string
  onShow: (choice: Choice, page: number) => void
}

/** More than these would be several lines of buttons, and most of a phone. */
const MOST_BUTTONS = 8

/** A list, with buttons above it that say which part of it is shown; a choice from a menu where there are many. */
export function FilteredTable<Row, Choice extends string | boolean | null>(
  props: FilteredTableProps<Row, Choice>,
) {
  const { filter, choices, current, textOf, onShow, ...table } = props
  const { t } = useTranslation('console/shared')
  return (
    <>
      {choices.length > MOST_BUTTONS ? (
        <div className="chips">
          <SelectField
            label={filter}
            value={String(current)}
            onChange={(event) => {
              const chosen = choices.find((choice) => String(choice) === event.currentTarget.value)
              if (chosen !== undefined) onShow(chosen, 1)
            }}
          >
            {choices.map((choice) => (
              <option key={String(choice)} value={String(choice)}>
                {textOf(choice)}
              </option>
            ))}
          </SelectField>
        </div>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form
        <div className="chips row-8" role="group" aria-label={filter}>
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
      )}
      {table.list.isStale ? <p className="stale muted small">{t('stale')}</p> : null}
      <PagedTable {...table} onPage={(page) => onShow(current, page)} />
    </>
  )
}
