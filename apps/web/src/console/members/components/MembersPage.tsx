import { type ListedMember, MEMBER_ORDERS, type MembersPage as Page } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import { Controller, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState, ErrorState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { memberLink } from '../../shared/place.ts'
import { useMembersQuery } from '../api.ts'
import { MARKS, MEMBERS_PLACE, type MembersPlace, NO_FILTER, queryOf } from '../filter.ts'
import './members.css'

/** Everybody, or whom filters find; all of it in the address. */
export function MembersPage() {
  const { t } = useTranslation('console/members')
  const [place, setPlace] = useQueryStates(MEMBERS_PLACE)
  const query = useMembersQuery(queryOf(place))
  const change = (change: Partial<MembersPlace>) => void setPlace({ after: null, ...change })
  return (
    <div className="page-stack">
      <section className="card card-pad stack-16" aria-label={t('filters')}>
        <Filters
          key={JSON.stringify([place.q, place.sponsor, place.joined_from, place.joined_to])}
          place={place}
          onChange={change}
        />
      </section>
      <section className="card linked-rows">
        <div className="row-12 row-apart members-bar">
          <div className="row-8">
            <Found page={query.data} />
            {queryOf(place, true) === '' ? null : (
              <Button kind="quiet" size="small" onClick={() => void setPlace({ ...NO_FILTER, after: null })}>
                {t('clear')}
              </Button>
            )}
          </div>
          <div className="row-12 row-end">
            <Order place={place} onChange={change} />
            <ExportButton path={`operator/members/export/${queryOf(place, true)}`} />
          </div>
        </div>
        <Members page={query.currentData} query={query} />
        <div className="row-8 row-end members-bar">
          {place.after === null ? null : (
            <Button size="small" onClick={() => void setPlace({ after: null })}>
              {t('first')}
            </Button>
          )}
          {query.currentData?.next == null ? null : (
            <Button size="small" onClick={() => void setPlace({ after: String(query.currentData?.next) })}>
              {t('next')}
            </Button>
          )}
        </div>
      </section>
    </div>
  )
}

interface ChangeProps {
  place: MembersPlace
  onChange: (change: Partial<MembersPlace>) => void
}

/** How many the filters find. */
function Found({ page }: { page: Page | undefined }) {
  const { t } = useTranslation('console/members')
  if (page === undefined) return null
  const { count, more } = page
  return (
    <p className="muted" role="status">
      {t('count', { count, shown: `${formats.count(count)}${more ? '+' : ''}` })}
    </p>
  )
}

function Order({ place, onChange }: ChangeProps) {
  const { t } = useTranslation('console/members')
  return (
    <SelectField
      label={t('order')}
      value={place.order}
      onChange={(event) => {
        const order = MEMBER_ORDERS.find((name) => name === event.target.value)
        if (order !== undefined) onChange({ order })
      }}
    >
      {MEMBER_ORDERS.map((order) => (
        <option key={order} value={order}>
          {t(`orders.${order}`)}
        </option>
      ))}
    </SelectField>
  )
}

/** Filled with what the address says, and again when that changes. */
function Filters({ place, onChange }: ChangeProps) {
  const { t } = useTranslation('console/members')
  const form = useForm({
    defaultValues: {
      q: place.q,
      sponsor: place.sponsor,
      joined_from: place.joined_from ?? '',
      joined_to: place.joined_to ?? '',
    },
  })
  const submit = form.handleSubmit(({ q, sponsor, joined_from, joined_to }) =>
    onChange({
      q: q.trim(),
      sponsor: sponsor.trim(),
      joined_from: joined_from === '' ? null : joined_from,
      joined_to: joined_to === '' ? null : joined_to,
    }),
  )
  return (
    <search>
      <form className="stack-12" noValidate onSubmit={submit}>
        <div className="members-filters">
          <Field
            label={t('search')}
            type="search"
            autoComplete="off"
            maxLength={254}
            {...form.register('q')}
          />
          <Field
            label={t('sponsor')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={150}
            {...form.register('sponsor')}
          />
          {(['joined_from', 'joined_to'] as const).map((name) => (
            <Controller
              key={name}
              name={name}
              control={form.control}
              render={({ field }) => <DateField {...field} label={t(name)} />}
            />
          ))}
          <Button type="submit" kind="primary">
            {t('find')}
          </Button>
        </div>
        <details className="members-more" open={MARKS.some((mark) => place[mark] !== null)}>
          <summary>{t('more')}</summary>
          <div className="members-marks">
            <MarkFields place={place} onChange={onChange} />
          </div>
        </details>
      </form>
    </search>
  )
}

/** What a member has or has not; each takes effect at once. */
function MarkFields({ place, onChange }: ChangeProps) {
  const { t } = useTranslation('console/members')
  return MARKS.map((mark) => (
    <SelectField
      key={mark}
      label={t(`mark.${mark}`)}
      value={place[mark] ?? ''}
      onChange={(event) => {
        const value = event.target.value
        onChange({ [mark]: value === 'true' || value === 'false' ? value : null })
      }}
    >
      <option value="">{t('any')}</option>
      <option value="true">{t('yes')}</option>
      <option value="false">{t('no')}</option>
    </SelectField>
  ))
}

interface MembersProps {
  page: Page | undefined
  query: { error?: unknown; isFetching: boolean; refetch: () => unknown }
}

function Members({ page, query }: MembersProps) {
  const { t } = useTranslation('console/members')
  const columns = useColumns()
  if (page === undefined && query.error !== undefined && !query.isFetching)
    return <ErrorState failure={query.error as Failure} onRetry={() => void query.refetch()} />
  if (page?.results.length === 0) return <EmptyState text={t('none')} />
  return (
    <DataTable
      caption={t('title')}
      columns={columns}
      rows={page?.results}
      rowKey={(row) => row.id}
      refreshing={query.isFetching}
    />
  )
}

function useColumns(): Column<ListedMember>[] {
  const { t } = useTranslation('console/members')
  return [
    column(t('member'), (row) => (
      <TwoLines
        first={
          <>
            <Link to={memberLink(row.id)} className="row-link">
              <Name text={row.username} />
            </Link>{' '}
            <Marks row={row} />
          </>
        }
        second={<Name text={row.name === '' ? row.email : `${row.name} · ${row.email}`} />}
      />
    )),
    column(t('joined'), (row) => (
      <TwoLines
        first={formats.date(row.joined_at)}
        second={row.sponsor === null ? '' : t('by', { sponsor: row.sponsor.username })}
      />
    )),
    figureColumn(t('principal'), (row) => <strong>{formats.money(row.principal)}</strong>),
    figureColumn(t('balance'), (row) => (
      <TwoLines
        first={formats.money(row.balance)}
        second={row.open_withdrawals === 0 ? '' : t('held', { amount: formats.money(row.on_hold) })}
      />
    )),
  ]
}

/** What is special about a member. */
export function Marks({ row }: { row: ListedMember }) {
  const { t } = useTranslation('console/members')
  const marks = [
    // The account that everybody without a sponsor stands under.
    row.sponsor === null ? 'root' : null,
    row.closed_at === null ? null : 'closed',
    row.frozen ? 'frozen' : null,
    row.is_operator ? 'operator' : null,
    row.is_fundator ? 'fundator' : null,
    row.open_withdrawals > 0 ? 'withdrawing' : null,
  ] as const
  return marks.map((mark) =>
    mark === null ? null : (
      <span key={mark} className="badge">
        {t(`badge.${mark}`)}
      </span>
    ),
  )
}
