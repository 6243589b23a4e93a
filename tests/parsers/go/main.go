// Copyright (C) the ngx_miqps authors
//
// What net/url makes of each query on standard input.  A query with an error
// still has values, which is what http.Request sees; the error is an entry of
// its own.

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"sort"
	"strings"
)

func line(query string) string {
	params, err := url.ParseQuery(query)

	entries := make([]string, 0, len(params)+1)

	for name, values := range params {
		quoted := make([]string, len(values))

		for i, value := range values {
			quoted[i] = `"` + url.QueryEscape(value) + `"`
		}

		entries = append(entries, `"`+url.QueryEscape(name)+`"=[`+
			strings.Join(quoted, ",")+"]")
	}

	sort.Strings(entries)

	if err != nil {
		entries = append(entries, "!error=true")
	}

	return strings.Join(entries, " ")
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)

	for {
		query, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}

		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}

		out.WriteString(line(query[:len(query)-1]))
		out.WriteByte('\n')
	}

	out.Flush()
}
