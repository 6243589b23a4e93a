# Copyright (C) the ngx_miqps authors
#
# What Rack makes of each query on standard input.  Rack raises where a Rack
# application answers 400.

require 'cgi'
require 'rack'

def text(value)
  "\"#{CGI.escape(value.b)}\""
end

def node(value)
  case value
  when nil then 'null'
  when Array then "[#{value.map { |item| node(item) }.join(',')}]"
  when Hash
    "{#{value.map { |key, item| "#{text(key)}:#{node(item)}" }.join(',')}}"
  else text(value)
  end
end

def line(query)
  params = Rack::Utils.parse_nested_query(query)
  params.map { |name, value| "#{text(name)}=#{node(value)}" }.join(' ')
rescue StandardError => e
  "ERROR:#{e.class}"
end

$stdin.binmode
$stdout.binmode

$stdin.each_line { |query| $stdout.write(line(query.chomp("\n")), "\n") }
