import type { SearchHit } from '@aval/contract'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { tabStorage } from '../../../api/storage.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconSearch } from '../../../ui/icons.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useSearchEverywhereQuery } from '../api.ts'
import { groupsOf, keepRecent, type Recent, readRecent, targetOf } from '../hits.ts'

/** A line that can be chosen. */
interface Item extends Recent {
  readonly key: string
}

interface Group {
  readonly value: string
  readonly items: readonly Item[]
}

/** Milliseconds without a key until it is asked for. */
const PAUSE = 120
const SHORTEST = 2

function useItem() {
  const { t } = useTranslation('console/search')
  return (hit: SearchHit): Item => {
    const { kind, id, member, name, email, amount, date, run, found_by: by } = hit
    const to = targetOf(hit)
    const key = `${kind} ${id}`
    const figures = [
      amount === null ? '' : formats.money(amount),
      date === null ? '' : formats.date(date),
    ].filter((text) => text !== '')
    if (kind === 'member') {
      const how = by === null || by === 'username' || by === 'name' ? '' : t(`by.${by}`)
      return {
        key,
        to,
        first: member?.username ?? id,
        second: [name, email, how].filter((text) => text !== null && text !== '').join(' · '),
      }
    }
    const number = id.length > 20 ? shortHash(id) : id
    const first =
      run === null
        ? t(`one.${kind}`, { number })
        : t('run', {
            number,
            kind: t(`runKind.${run.kind === 'passive' || run.kind === 'binary' ? run.kind : 'direct'}`),
            period: run.period,
          })
    return {
      key,
      to,
      first,
      second: [member?.username ?? '', ...figures].filter((text) => text !== '').join(' · '),
    }
  }
}

/** What the words find; what was opened lately where there are none. */
function useGroups(typed: string) {
  const { t } = useTranslation('console/search')
  const itemOf = useItem()
  const [asked] = useDebouncedValue(typed, PAUSE)
  const isAsked = asked.length >= SHORTEST || /^\d+$/.test(asked)
  const query = useSearchEverywhereQuery(asked, { skip: !isAsked })
  if (typed === '') {
    const recent = readRecent(tabStorage).map((item): Item => ({ ...item, key: `${item.to} ${item.first}` }))
    const groups: Group[] = recent.length === 0 ? [] : [{ value: t('recent'), items: recent }]
    return { groups, isWaiting: false, failure: undefined, isAnswered: false }
  }
  // The answer to other words is never shown under these.
  const answer = asked === typed ? query.currentData : undefined
  const groups = groupsOf(answer?.results ?? []).map(
    ({ kind, hits }): Group => ({ value: t(`kind.${kind}`), items: hits.map(itemOf) }),
  )
  const failure = asked === typed ? (query.error as Failure | undefined) : undefined
  const isWaiting = asked !== typed || query.isFetching
  return { groups, isWaiting, failure, isAnswered: answer !== undefined && isAsked }
}

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console/search')
  return (
    <Dialog title={t('title')} width={620} onClose={onClose}>
      <Search onClose={onClose} />
    </Dialog>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console/search')
  const navigate = useNavigate()
  const sayFailure = useFailureText()
  const [text, setText] = useState('')
  const typed = text.trim()
  const { groups, isWaiting, failure, isAnswered } = useGroups(typed)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const open = (item: Item) => {
    keepRecent(tabStorage, { to: item.to, first: item.first, second: item.second })
    onClose()
    void navigate(item.to)
  }
  const said =
    failure !== undefined
      ? sayFailure(failure)
      : isWaiting
        ? t('waiting')
        : isAnswered
          ? t('found', { count })
          : t('hint')
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      autoHighlight="always"
      items={groups}
      value={text}
      onValueChange={(value, { reason }) => {
        // Choosing a line leads away; it writes nothing.
        if (reason !== 'item-press') setText(value)
      }}
      itemToStringValue={(item: Item) => item.first}
    >
      <div className="search-box">
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        <Autocomplete.Input
          className="search-input"
          data-autofocus
          placeholder={t('placeholder')}
          aria-label={t('title')}
          maxLength={254}
          spellCheck={false}
          autoCapitalize="none"
        />
      </div>
      <Autocomplete.Status className="search-status muted small">{said}</Autocomplete.Status>
      <Lines onOpen={open} />
    </Autocomplete.Root>
  )
}

function Lines({ onOpen }: { onOpen: (item: Item) => void }) {
  return (
    <Autocomplete.List className="search-list">
      {(group: Group) => (
        <Autocomplete.Group key={group.value} items={group.items} className="search-group">
          <Autocomplete.GroupLabel className="muted small">{group.value}</Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(item: Item) => (
              <Autocomplete.Item
                key={item.key}
                value={item}
                className="search-item"
                onClick={() => onOpen(item)}
              >
                <bdi translate="no">{item.first}</bdi>
                <span className="muted small">{item.second}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  )
}
