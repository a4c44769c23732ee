import type { TreeSearch, TreeView } from '@aval/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { IconSearch } from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useTreeSearchQuery } from '../api.ts'
import { isSearchable } from '../questions.ts'

interface SearchBoxProps {
  readonly view: TreeView
  readonly input: RefObject<HTMLInputElement | null>
  readonly onPick: (id: string) => void
}

type SearchResult = TreeSearch['results'][number]

/** Milliseconds without typing before the search is sent. */
const PAUSE = 200

function useFound(text: string, view: TreeView) {
  const [q] = useDebouncedValue(text.trim(), PAUSE)
  const isAsked = isSearchable(q) && isSearchable(text)
  const { currentData, error, isFetching } = useTreeSearchQuery({ q, view }, { skip: !isAsked })
  return {
    isAsked: isSearchable(text),
    /** Whether the results are those of all that is typed. */
    isCurrent: isAsked && q === text.trim() && currentData !== undefined,
    results: isAsked ? (currentData?.results ?? null) : null,
    hasMore: currentData?.more === true,
    failure: isAsked && !isFetching ? (error as Failure | undefined) : undefined,
  }
}

/** Finds people in the own network by name, username or e-mail. */
export function SearchBox({ view, input, onPick }: SearchBoxProps) {
  const { t } = useTranslation('genealogy/tree')
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  /** Enter came before the answer: it takes the first person then. */
  const [isEntered, setEntered] = useState(false)
  const { isAsked, isCurrent, results, hasMore, failure } = useFound(text, view)
  const shown = isOpen && isAsked
  const pick = (result: SearchResult | undefined) => {
    if (result === undefined) return
    setOpen(false)
    setText('')
    input.current?.blur()
    onPick(result.id)
  }
  useEffect(() => {
    if (!isEntered || !isCurrent) return
    setEntered(false)
    pick(results?.[at])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const count = results?.length ?? 0
    if (event.key === 'Escape') setOpen(false)
    else if (event.key === 'Enter') setEntered(true)
    else if (event.key === 'ArrowDown' && count > 0) setAt((at + 1) % count)
    else if (event.key === 'ArrowUp' && count > 0) setAt((at + count - 1) % count)
    else return
    event.preventDefault()
  }
  return (
    <div className="tree-search">
      <div className="field-box">
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label={t('search.label')}
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown && (results?.length ?? 0) > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          placeholder={t('search.label')}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setEntered(false)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            setEntered(false)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {shown ? (
        <Results id={id} results={results} hasMore={hasMore} failure={failure} at={at} onPick={pick} />
      ) : null}
    </div>
  )
}

interface ResultsProps {
  readonly id: string
  readonly results: readonly SearchResult[] | null
  readonly hasMore: boolean
  readonly failure: Failure | undefined
  readonly at: number
  readonly onPick: (result: SearchResult) => void
}

function Results({ id, results, hasMore, failure, at, onPick }: ResultsProps) {
  const { t } = useTranslation('genealogy/tree')
  const sayFailure = useFailureText()
  const message =
    failure !== undefined
      ? sayFailure(failure)
      : results === null
        ? t('search.searching')
        : results.length === 0
          ? t('search.none')
          : null
  return (
    <div className="tree-results">
      {message === null ? null : (
        <p className="muted small" role="status">
          {message}
        </p>
      )}
      <div id={`${id}-list`} role="listbox" aria-label={t('search.results')}>
        {(results ?? []).map((result, index) => (
          <div
            key={result.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Before the field loses the focus, which closes the list.
            onPointerDown={(event) => {
              event.preventDefault()
              onPick(result)
            }}
          >
            <span>
              <Name text={result.name === '' ? t('noName') : result.name} />
            </span>
            <span className="muted small">
              <Name text={result.username} />
              <span>{` · ${t('search.level', { level: result.depth })}`}</span>
            </span>
          </div>
        ))}
      </div>
      {hasMore && message === null ? <p className="muted small">{t('search.more')}</p> : null}
    </div>
  )
}
