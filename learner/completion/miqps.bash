# bash completion for miqps
#
# Copyright (C) the ngx_miqps authors

# shellcheck shell=bash


# completes the last item of a comma-separated list

_miqps_list() {
    local  before=''

    if [[ $cur == *,* ]]; then
        before=${cur%,*},
    fi

    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
    compopt -o nospace
}


_miqps_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}


_miqps_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}


_miqps_normalize() {
    case $prev in
        --rules|--map)
            _miqps_files
            ;;
        --platform)
            _miqps_list 'shopify sfcc woocommerce magento bigcommerce shopware
                         prestashop wordpress mediawiki discourse strict'
            ;;
        --log-format|--site|--retention|--batch)
            ;;
        --host)
            mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
            ;;
        --keep|--strip)
            ;;
        *)
            _miqps_words '--rules --keep --strip --platform --tracking --sort
                          --host --map --no-path-rules --json --explain --stats
                          --strict --help'
            ;;
    esac
}


_miqps_import() {
    case $prev in
        --from)
            _miqps_words 'clearurls adguard'
            ;;
        -o|--output)
            _miqps_files
            ;;
        *)
            if [[ $cur == -* ]]; then
                _miqps_words '--from --output --referral --verbose --help'
            else
                _miqps_files
            fi
            ;;
    esac
}


_miqps_ingest() {
    case $prev in
        --store)
            _miqps_words 'sqlite:'
            ;;
        --format)
            _miqps_words 'auto urls corpus combined json sitemap warc cdx'
            ;;
        --host)
            mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
            ;;
        *)
            _miqps_options '--store --format --log-format --host --site
                            --retention --follow --batch --quiet --help'
            ;;
    esac
}


_miqps_learn() {
    case $prev in
        --via)
            _miqps_words 'unix: http://127.0.0.1:'
            ;;
        --algorithm)
            _miqps_words 'adaptive paper'
            ;;
        --without)
            _miqps_words 'control time viewers groups joint kinds defaults
                          general paths mirrors sequential tables share'
            ;;
        --content-id)
            _miqps_words 'headers body title dom text near canonical exec:
                          visual'
            ;;
        --browser)
            _miqps_files
            ;;
        --honor)
            _miqps_words 'no-vary-search clean-param
                          no-vary-search,clean-param'
            ;;
        --patterns|--samples|--tests|--threshold|--seed|--rate|--concurrency|\
        --parallel|--timeout|--max-size|--fetches|--error|--values)
            ;;
        *)
            _miqps_store '--store --via --all --algorithm --fetches --error
                          --values --without --content-id --browser --honor
                          --patterns --samples --tests --threshold --seed
                          --rate --concurrency --parallel --timeout --max-size
                          --foreign --dry-run --json --quiet --help'
            ;;
    esac
}


_miqps_eval() {
    case $prev in
        --store)
            _miqps_words 'sqlite:'
            ;;
        --truth|--map|--forms|--svg)
            _miqps_files
            ;;
        --rules|--keep|--strip|--platform)
            _miqps_normalize
            ;;
        --method|--cover|--clusters|--overlap|--mapping|--fake|--limit|\
        --destinations|--train|--most|--seed)
            _miqps_tree ''
            ;;
        *)
            _miqps_words '--truth --map --store --rules --keep --strip
                          --platform --tracking --sort --forms --json
                          --clusters --method --train --most --seed --one-site
                          --guard
                          --overlap --mapping --fake --limit --cover
                          --destinations --sweep --svg --help'
            ;;
    esac
}


# _miqps_tree OPTIONS: options of what learns from clusters, or else files

_miqps_tree() {
    case $prev in
        --select)
            _miqps_words 'graph naive'
            ;;
        --cover)
            _miqps_words 'ancestor fpr'
            ;;
        --method)
            _miqps_list 'dust fanout-5 fanout-10 tree-naive tree-graph
                         miqps'
            ;;
        --overlap|--mapping|--fake|--limit|--destinations|--train|--most|\
        --seed)
            ;;
        *)
            _miqps_options "--clusters --overlap --mapping --fake --limit
                            --cover --destinations --json --help $1"
            ;;
    esac
}


_miqps_publish() {
    case $prev in
        --store)
            _miqps_words 'sqlite:'
            ;;
        --control|--status|--via)
            _miqps_words 'unix: http://127.0.0.1'
            ;;
        --map|--source|--pid|--token-file|--ingest)
            _miqps_files
            ;;
        --zone|--wait|--anomalies|--vanish|--max-change|--shrink|--grow|--max-size|\
        --force|--to|--watch|--worse|--slower|--stale|--drift|--ingest-with|\
        --learn-with|--publish-with)
            ;;
        *)
            _miqps_words "--store --map --control --zone --token-file --pid
                          --wait --help $1"
            ;;
    esac
}


# _miqps_store OPTIONS: options, or else a store or host

_miqps_store() {
    case $prev in
        --store)
            _miqps_words 'sqlite:'
            ;;
        --top|--days|--pairs)
            ;;
        *)
            if [[ $cur == -* ]]; then
                _miqps_words "$1"
            else
                mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur")
            fi
            ;;
    esac
}


# _miqps_options OPTIONS: options, or else files

_miqps_options() {
    if [[ $cur == -* ]]; then
        _miqps_words "$1"
    elif [[ $prev == --store ]]; then
        _miqps_words 'sqlite:'
    else
        _miqps_files
    fi
}


_miqps() {
    local  cur=${COMP_WORDS[COMP_CWORD]}
    local  prev=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()

    if (( COMP_CWORD == 1 )); then
        _miqps_words 'normalize import compile check show diff ingest corpus
                      forget learn map explain publish history rollback
                      cycle rules eval help
                      --help --version'
        return
    fi

    case ${COMP_WORDS[1]} in
        normalize) _miqps_normalize ;;
        import)    _miqps_import ;;
        compile)   _miqps_options '--output --verbose --help' ;;
        check)     _miqps_options '--help' ;;
        show)      _miqps_options '--stats --help' ;;
        diff)      _miqps_options '--store --json --exit-code --help' ;;
        ingest)    _miqps_ingest ;;
        corpus)    _miqps_store '--store --top --days --json --help' ;;
        forget)    _miqps_store '--store --help' ;;
        learn)     _miqps_learn ;;
        map)       _miqps_store '--store --help' ;;
        explain)   _miqps_store '--store --pairs --help' ;;
        publish)   _miqps_publish '--status --watch --worse --slower
                                   --source --anomalies --vanish --max-change
                                   --shrink --grow --max-size --force --resume
                                   --dry-run' ;;
        history)   _miqps_store '--store --json --help' ;;
        rollback)  _miqps_publish '--to' ;;
        cycle)     _miqps_publish '--status --watch --worse --slower --all
                                   --ingest --stale --drift --via --ingest-with
                                   --learn-with --publish-with --dry-run
                                   --quiet' ;;
        rules)     _miqps_tree '--store --select --all --tree --map' ;;
        eval)      _miqps_eval ;;
        help)      _miqps_words 'normalize import compile check show diff
                                 ingest corpus forget learn map explain
                                 publish history rollback cycle rules
                                 eval' ;;
    esac
}


complete -F _miqps miqps
